// The pictures of docs/performance.md, from the figures of a run: SVG by ECharts, which needs no browser for it.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as echarts from 'echarts';

import type { Results, Section } from './results';
import { median, type Estimate } from './statistics';

const INK = '#334155';
const OURS = '#0f766e';
const OTHERS = '#94a3b8';
const GOAL = '#b45309';

interface Bar {
	name: string;
	value: number;
	noise?: number;
	goal?: number;
	ours: boolean;
}

/** Writes one picture for each section that has one; gives the paths. */
export async function writePlots(results: Results, folder: string): Promise<string[]> {
	await mkdir(folder, { recursive: true });
	const written: string[] = [];
	for (const section of results.sections) {
		const plot = plotOf(section);
		if (!plot) continue;
		const path = join(folder, plot.file);
		await writeFile(path, bars(plot.title, plot.axis, plot.bars, plot.logarithmic));
		written.push(path);
	}
	return written;
}

interface Plot {
	file: string;
	title: string;
	axis: string;
	bars: Bar[];
	logarithmic: boolean;
}

function plotOf(section: Section): Plot | undefined {
	const node = /Node (\d+)/.exec(section.title)?.[1];
	if (section.part === 'feed') {
		const subjects = section.data.subjects as Record<string, { cpuRatio: Estimate; goal?: number }>;
		return {
			file: `feed-node-${node}.svg`,
			title: `CPU time of an event, times that of the bare client (Node ${node})`,
			axis: 'times the bare client (line: goal)',
			logarithmic: false,
			bars: Object.entries(subjects).flatMap(([name, { cpuRatio, goal }]) =>
				name.startsWith('bare')
					? []
					: [{ name, value: cpuRatio.median, noise: cpuRatio.noise, goal, ours: true }],
			),
		};
	}
	if (section.part === 'n8n') {
		const subjects = section.data.subjects as Record<
			string,
			{ samples: Array<{ eventsPerSecond: number }> }
		>;
		return {
			file: `n8n-node-${node}.svg`,
			title: `Events a second to the end of Trigger → NoOp (Node ${node})`,
			axis: 'events a second, logarithmic',
			logarithmic: true,
			bars: Object.entries(subjects).map(([name, { samples }]) => ({
				name,
				value: median(samples.map(({ eventsPerSecond }) => eventsPerSecond)),
				ours: !name.startsWith('bare'),
			})),
		};
	}
	return undefined;
}

function bars(title: string, axis: string, all: readonly Bar[], logarithmic: boolean): string {
	const chart = echarts.init(null, null, {
		renderer: 'svg',
		ssr: true,
		width: 860,
		height: 90 + all.length * 34,
	});
	const text = { color: INK, fontFamily: 'sans-serif' };
	const places = (value: number) => (logarithmic ? String(Math.round(value)) : value.toFixed(2));
	chart.setOption({
		animation: false,
		backgroundColor: '#ffffff',
		textStyle: text,
		title: { text: title, left: 12, top: 8, textStyle: { ...text, fontSize: 15 } },
		grid: { left: 250, right: 110, top: 44, bottom: 44 },
		xAxis: {
			type: logarithmic ? 'log' : 'value',
			name: axis,
			nameLocation: 'middle',
			nameGap: 28,
			axisLabel: text,
		},
		yAxis: {
			type: 'category',
			inverse: true,
			data: all.map(({ name }) => name),
			axisLabel: { ...text, width: 236, overflow: 'break' },
			axisTick: { show: false },
		},
		series: [
			{
				type: 'bar',
				barWidth: 16,
				data: all.map(({ value, noise, ours }) => ({
					value,
					itemStyle: { color: ours ? OURS : OTHERS },
					label: {
						show: true,
						position: 'right',
						color: INK,
						formatter: noise === undefined ? places(value) : `${places(value)} ± ${places(noise)}`,
					},
				})),
			},
			{
				type: 'scatter',
				symbol: 'rect',
				symbolSize: [3, 24],
				itemStyle: { color: GOAL },
				data: all.flatMap(({ goal }, index) => (goal === undefined ? [] : [[goal, index]])),
			},
		],
	});
	const svg = chart.renderToSVGString();
	chart.dispose();
	return svg;
}
