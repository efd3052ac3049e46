import { defineCommand, listOf, objectOf } from '@agent-service/sdk/contracts/cli-command'
import { originOf, problemsOf, warningsOf } from './skill-words.js'

/** Shows one skill: what it is for, where it came from, its files, and its instructions. */
export const showSkillCommand = defineCommand({
  name: 'skills show',
  summary: 'show a skill, its files and its instructions',
  arguments: [{ name: 'skill', description: 'its name', required: true }],
  options: [
    { name: 'source', description: 'bundled, shared, user or agent; by default the one that is used', value: 'source' },
    { name: 'agent', description: 'with the skills of this agent of yours, by its id', value: 'id' },
  ],
  async run({ arguments: [name = ''], options, request, requestText, print, table, warn, write }) {
    const query = typeof options['agent'] === 'string' ? `?${new URLSearchParams({ agent_id: options['agent'] })}` : ''
    const source = typeof options['source'] === 'string' ? options['source'] : await usedSource(request, name, options['agent'])
    if (source === undefined) {
      await warn(`There is no skill “${name}”. “agent-service skills list” lists them.`)
      return { status: 1 }
    }
    const path = `/api/skills/${encodeURIComponent(source)}/${encodeURIComponent(name)}`
    const skill = objectOf(await request('GET', `${path}${query}`))
    await print(name, { style: 'bold' })
    await print(String(skill['description']))
    await print(`source: ${source}; from: ${source === 'bundled' ? 'this release' : originOf(skill['installation'])}`)
    for (const line of [...problemsOf(skill), ...warningsOf(skill)]) await warn(line, { style: 'yellow' })
    await table([['FILE', 'BYTES'], ...listOf(skill['files']).map((each) => [String(each['path']), String(each['size'])])], {
      whole: ['FILE'],
    })
    await write(`\n${await requestText('GET', `${path}/content${query}`)}\n`)
    return { status: 0, json: skill }
  },
})

async function usedSource(
  request: Parameters<(typeof showSkillCommand)['run']>[0]['request'],
  name: string,
  agent: string | boolean | undefined,
): Promise<string | undefined> {
  const query = new URLSearchParams({ limit: '200', ...(typeof agent === 'string' ? { agent_id: agent } : {}) })
  const named = listOf(objectOf(await request('GET', `/api/skills?${query}`))['items']).filter((skill) => skill['name'] === name)
  const used = named.find((skill) => skill['shadowed_by'] === null && skill['problem'] === null) ?? named[0]
  return used === undefined ? undefined : String(used['source'])
}
