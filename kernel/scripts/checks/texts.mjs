import { existsSync } from 'node:fs'
import path from 'node:path'
import { readSources } from '../lib/source-files.mjs'
import { findUnusedTexts } from '../lib/used-texts.mjs'
import { listWorkspaces, readJson } from '../lib/workspaces.mjs'

export const title = 'the texts of screens are whole in every language, and all are used'
export const mend = 'sdk/docs/texts-and-translations.md says what a catalogue has, and how to change one.'

/** The build of screens finds the same in a plugin's catalogues, but for what is unused or out of order. */
export async function check({ root }) {
  const folders = listWorkspaces(root).filter((folder) => existsSync(path.join(root, folder, 'web/texts')))
  if (folders.length === 0) return []
  const { findTextProblems } = await import('@agent-service/sdk/author')
  const sources = [...readSources(root, (file) => /\/web\//.test(file) && !/\.(d|test)\.tsx?$/.test(file))]
  const found = folders.map(async (folder) => {
    const problems = await findTextProblems(path.join(root, folder, 'web'))
    if (problems.length > 0) return problems.map((problem) => `${folder}/${problem}`)
    const own = sources.filter(({ file }) => file.startsWith(`${folder}/web/`))
    return languagesOf(root, folder).flatMap(({ file, catalogue }) => [
      ...orderProblems(catalogue).map((problem) => `${file}, ${problem}`),
      ...(file.endsWith('/en.json') ? findUnusedTexts(catalogue, own, sources).map((problem) => `${file}, ${problem}`) : []),
    ])
  })
  return (await Promise.all(found)).flat()
}

const languagesOf = (root, folder) =>
  ['en', 'de'].map((language) => {
    const file = `${folder}/web/texts/${language}.json`
    return { file, catalogue: readJson(path.join(root, file)) }
  })

/** Groups and keys stand in the order of their names: two branches that add some seldom meet. */
function orderProblems(catalogue) {
  const lists = [['the groups', Object.keys(catalogue)], ...Object.entries(catalogue).map(([group, texts]) => [group, Object.keys(texts)])]
  return lists.flatMap(([where, names]) => {
    const next = names.findIndex((name, index) => index > 0 && name < names[index - 1])
    return next < 0 ? [] : [`${where}: “${names[next]}” stands after “${names[next - 1]}”; sort the names`]
  })
}
