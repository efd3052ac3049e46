import openapiTypescript, { astToString } from 'openapi-typescript'

const heading = '/** Generated from the OpenAPI document: node kernel/scripts/console-api.mjs --write */'

/** The types of an OpenAPI document. */
export async function renderTypes(description) {
  const text = astToString(await openapiTypescript(description, { alphabetize: true, excludeDeprecated: false }))
  return `${heading}\n${withoutComments(text)}`
}

/** Without examples and descriptions, which change more often than the types do. */
function withoutComments(text) {
  return text.replace(/^\s*\/\*\*[\s\S]*?\*\/\n/gm, '')
}
