import { strict as assert } from 'node:assert'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { BuiltPart, PanelScreen } from '../../contracts/console-panel/index.js'
import { readBuiltScreen } from '../../contracts/console-panel/read-built-screens.js'
import { assertParses } from './assert-parses.js'

/** Where a minified module says what it exports under a name. */
const exportOf = (name: string): RegExp =>
  name === 'default'
    ? /\bexport\s*(default\b|\{[^}]*\bas\s+default\b)/
    : new RegExp(
        `\\bexport\\s*((async\\s+)?function\\*?\\s+${name}\\b|(const|let|var)\\s+${name}\\b|\\{([^}]*[\\s,]|)(\\w+\\s+as\\s+)?${name}\\s*[,}])`,
      )

/** Fails for a screen that is not built, or whose modules the console cannot load or use. */
export async function checkScreen({ folder, screen }: PanelScreen): Promise<void> {
  const built = await readBuiltScreen(folder, screen)
  await checkPart(folder, built, { exports: 'default', what: 'the component of the screen' })
  if (built.start !== undefined)
    await checkPart(folder, built.start, { exports: 'start', what: 'what runs once when somebody has signed in' })
}

async function checkPart(
  folder: string,
  { module, imports }: BuiltPart,
  { exports: name, what }: { readonly exports: string; readonly what: string },
): Promise<void> {
  const files = [...new Set([module, ...imports])]
  const codes = await Promise.all(files.map((file) => readFile(path.join(folder, file), 'utf8')))
  for (const [index, code] of codes.entries()) await assertParses(code, files[index])
  assert.match(codes[0] ?? '', exportOf(name), `${module} exports no “${name}”: ${what}`)
  const missing = codes.flatMap((code, index) =>
    importedBy(code)
      .filter((file) => !files.includes(file))
      .map((file) => `${files[index]} imports ${file}`),
  )
  assert.deepEqual(missing, [], `these modules are not among the imports of ${module} in screens.json`)
}

/** The files beside a module that it imports before it runs; those of the console have other addresses. */
const importedBy = (code: string): readonly string[] =>
  [...code.matchAll(/\b(?:import|from)\s*(['"])\.\/([\w.-]+)\1/g)].flatMap(([, , file]) => (file === undefined ? [] : [file]))
