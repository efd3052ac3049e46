/**
 * Generates the reference in `kernel/docs/configuration.md` and `resources/config.schema.json`,
 * with which editors complete the file, from the schema of the configuration. `node
 * kernel/scripts/configuration-reference.mjs` compares both with the compiled kernel and the
 * plugins' manifests; `--write` updates them.
 */
import 'reflect-metadata'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { repositoryRoot } from './lib/workspaces.mjs'

const begin = '<!-- The reference is generated: node kernel/scripts/configuration-reference.mjs --write -->'
const end = '<!-- End of the reference. -->'

/** Every generated file with its expected text. */
export async function renderGenerated(root) {
  const compiled = (module) => import(pathToFileURL(path.join(root, 'kernel', module)).href)
  const { examineInstallation } = await compiled('settings/dist/installation/examine-installation.js')
  const { findInstallation } = await compiled('cli/dist/commands/installation.js')
  const { fileSchema } = await compiled('settings/dist/explain/index.js')
  const { referencePage } = await compiled('settings/dist/explain/reference-page.js')
  const folder = mkdtempSync(path.join(os.tmpdir(), 'agent-service-reference-'))
  try {
    const { examination } = await examineInstallation({ ...findInstallation(), environment: {}, workingDirectory: folder })
    const { schema, manifests } = examination
    const page = path.join(root, 'kernel/docs/configuration.md')
    const { added } = JSON.parse(readFileSync(path.join(root, 'test/fixtures/specification-fields.json'), 'utf8'))
    const reference = referencePage({
      schema,
      manifests,
      added: added.map(({ section, field }) => `${section}.${field.replace('<group>', '<name>')}`),
    })
    return [
      { file: page, text: withReference(readFileSync(page, 'utf8'), reference) },
      { file: path.join(root, 'resources/config.schema.json'), text: `${JSON.stringify(fileSchema(schema), null, 2)}\n` },
    ]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The page with a new reference between the two markers. */
function withReference(page, reference) {
  const [before, rest] = page.split(begin)
  const [, after] = (rest ?? '').split(end)
  if (after === undefined) throw new Error(`kernel/docs/configuration.md lacks one of its markers: ${begin} or ${end}`)
  return `${before}${begin}\n\n${reference}\n${end}${after}`
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const outdated = (await renderGenerated(repositoryRoot)).filter(
    ({ file, text }) => !existsSync(file) || readFileSync(file, 'utf8') !== text,
  )
  for (const { file, text } of outdated) {
    if (process.argv.includes('--write')) writeFileSync(file, text)
    else
      process.stderr.write(
        `${path.relative(repositoryRoot, file)} is out of date: run node kernel/scripts/configuration-reference.mjs --write\n`,
      )
  }
  process.exitCode = outdated.length > 0 && !process.argv.includes('--write') ? 1 : 0
}
