/**
 * Makes the shipped snapshot of the catalogue from a copy of the source: `node
 * plugins/feature-inference/scripts/snapshot.mjs <api.json> <date of its state, YYYY-MM-DD>`. Build
 * the plugin first.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { convertBrands } from '../dist/catalogue/snapshot/convert-brands.js'
import { convertModels } from '../dist/catalogue/snapshot/convert-models.js'
import { printBrands, printModels } from '../dist/catalogue/snapshot/print-snapshot.js'

const [file, version] = process.argv.slice(2)
if (file === undefined || !/^\d{4}-\d{2}-\d{2}$/.test(version ?? '')) {
  process.stderr.write('Expected: snapshot.mjs <api.json> <YYYY-MM-DD>\n')
  process.exit(2)
}
const folder = fileURLToPath(new URL('../../../resources/catalogue/', import.meta.url))
const source = JSON.parse(await readFile(file, 'utf8'))
const { brands } = JSON.parse(await readFile(`${folder}brands.json`, 'utf8'))
const builtIn = new Set(brands.flatMap(({ id, aliases = [] }) => [id, ...aliases]))
const models = convertModels(source, version)
const compatible = convertBrands(source, version, builtIn)
await writeFile(`${folder}models.json`, printModels(models))
await writeFile(`${folder}compatible-brands.json`, printBrands(compatible))
const count = Object.values(models.models).reduce((sum, known) => sum + Object.keys(known).length, 0)
process.stdout.write(`${count} models of ${Object.keys(models.models).length} brands, ${compatible.brands.length} compatible brands\n`)
