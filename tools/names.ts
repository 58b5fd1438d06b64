/* eslint-disable -- no part of the package: `npm run lint` checks it with eslint.house.mjs */
// Checks that a name means one thing: no top-level name of nodes/ and credentials/ is declared in two files.
import { readFileSync } from 'node:fs';
import ts from 'typescript';

/** The names that a file declares at its top level. */
function declaredIn(file: string): string[] {
	const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest);
	return source.statements.flatMap((statement) => {
		if (ts.isVariableStatement(statement))
			return statement.declarationList.declarations.flatMap(({ name }) => namesIn(name));
		const isNamed =
			ts.isFunctionDeclaration(statement) ||
			ts.isClassDeclaration(statement) ||
			ts.isInterfaceDeclaration(statement) ||
			ts.isTypeAliasDeclaration(statement) ||
			ts.isEnumDeclaration(statement);
		return isNamed && statement.name ? [statement.name.text] : [];
	});
}

function namesIn(name: ts.BindingName): string[] {
	if (ts.isIdentifier(name)) return [name.text];
	return name.elements.flatMap((element) =>
		ts.isOmittedExpression(element) ? [] : namesIn(element.name),
	);
}

const filesByName = new Map<string, Set<string>>();
for (const file of ['nodes', 'credentials'].flatMap((folder) =>
	ts.sys.readDirectory(folder, ['.ts']),
))
	for (const name of declaredIn(file))
		filesByName.set(name, (filesByName.get(name) ?? new Set()).add(file));
const several = [...filesByName].filter(([, { size }]) => size > 1);
for (const [name, files] of several) console.log(`${name}: ${[...files].join(', ')}`);
process.exitCode = several.length > 0 ? 1 : 0;
