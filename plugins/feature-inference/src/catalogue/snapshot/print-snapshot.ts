import type { CompatibleBrandsFile, ModelsFile } from '../catalogue-schema.js'

/** The text of `models.json`: one model per line, so that versions can be compared. */
export function printModels({ version, models }: ModelsFile): string {
  const brands = Object.entries(models).map(([brand, known]) => {
    const lines = Object.entries(known).map(([id, model]) => `      ${JSON.stringify(id)}: ${JSON.stringify(model)}`)
    return `    ${JSON.stringify(brand)}: {\n${lines.join(',\n')}\n    }`
  })
  return `{\n  "version": ${JSON.stringify(version)},\n  "models": {\n${brands.join(',\n')}\n  }\n}\n`
}

/** The text of `compatible-brands.json`: one brand per line. */
export function printBrands({ version, brands }: CompatibleBrandsFile): string {
  const lines = brands.map((brand) => `    ${JSON.stringify(brand)}`)
  return `{\n  "version": ${JSON.stringify(version)},\n  "brands": [\n${lines.join(',\n')}\n  ]\n}\n`
}
