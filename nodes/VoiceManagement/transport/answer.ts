// What the service answered, read leniently: the operator's documents show no answers, and what stands in front
// of the service (proxies, login pages) answers in its own ways.

import type { IDataObject } from 'n8n-workflow';

/** An answer as n8n's HTTP helper gives it when asked for the full response as text. */
export interface HttpResponse {
	statusCode: number;
	headers: Record<string, unknown>;
	body: unknown;
}

export interface Answer {
	statusCode: number;
	headers: Record<string, unknown>;
	/** The parsed JSON value; undefined for everything that is not JSON, the empty body included. */
	json: unknown;
	/** The body as text. */
	text: string;
}

/** Reads a response. Never throws: what can't be parsed has no `json`. */
export function readAnswer(response: HttpResponse): Answer {
	const { statusCode, headers, body } = response;
	const text =
		typeof body === 'string' ? body : Buffer.isBuffer(body) ? body.toString('utf8') : undefined;
	if (text === undefined) {
		// n8n parsed it already (its older request helper does).
		return { statusCode, headers, json: body ?? undefined, text: body ? JSON.stringify(body) : '' };
	}
	return { statusCode, headers, json: parse(text), text };
}

function parse(text: string): unknown {
	try {
		return JSON.parse(text) as unknown;
	} catch {
		return undefined;
	}
}

/** Whether the body is a web page rather than data. */
export function isHtml({ headers, text }: Answer): boolean {
	return (
		/^\s*(<!doctype html|<html[\s>])/i.test(text) ||
		(/html/i.test(String(headers['content-type'] ?? '')) && text.trimStart().startsWith('<'))
	);
}

/** The title of a web page, for people. */
export function pageTitle({ text }: Answer): string | undefined {
	const title = /<title[^>]*>([^<]{1,200})/i.exec(text)?.[1]?.replace(/\s+/g, ' ').trim();
	return title === '' ? undefined : title;
}

/** Whether a value is an object with named fields. */
export function isObject(value: unknown): value is IDataObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A list; a lone object counts as a list of one (what converters from XML make of it), anything else as none. */
export function asList(value: unknown): IDataObject[] {
	if (Array.isArray(value)) return value.filter(isObject);
	return isObject(value) ? [value] : [];
}
