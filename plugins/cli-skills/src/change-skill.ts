import { defineCommand, objectOf } from '@agent-service/sdk/contracts/cli-command'
import { originOf, placeOf, placeOptions } from './skill-words.js'

const skillArgument = { name: 'skill', description: 'its name', required: true }

/** Compares a skill with what was installed. */
export const checkSkillCommand = defineCommand({
  name: 'skills check',
  summary: 'compare a skill with what was installed, and with its address; status 1 if one of them differs',
  arguments: [skillArgument],
  options: [...placeOptions, { name: 'address', description: 'ask the address that it came from, too' }],
  async run({ arguments: [name = ''], options, request, print }) {
    const check = objectOf(await request('GET', placeOf(options).read(name, '/check')))
    const { state, installation, sha256 } = check
    if (state === 'not_installed') await print(`“${name}” was put there by hand: there is nothing to compare it with.`)
    else
      await print(
        `“${name}” is ${state === 'changed' ? 'changed' : 'as it was installed'} (${originOf(installation)}, SHA-256 ${String(sha256)}).`,
      )
    for (const kind of ['added', 'changed', 'removed'])
      for (const path of Array.isArray(check[kind]) ? check[kind] : []) await print(`${kind}: ${String(path)}`)
    if (options['address'] !== true) return { status: state === 'changed' ? 1 : 0, json: check }
    const address = objectOf(await request('POST', placeOf(options).changed(name, '/check')))
    const isNew = address['state'] === 'changed'
    await print(isNew ? `The address has another version (SHA-256 ${String(address['sha256'])}).` : 'The address has the same version.')
    return { status: state === 'changed' || isNew ? 1 : 0, json: { ...check, address } }
  },
})

/** Fetches a skill again. */
export const updateSkillCommand = defineCommand({
  name: 'skills update',
  summary: 'fetch a skill again from the address that it came from',
  arguments: [skillArgument],
  options: [...placeOptions],
  async run({ arguments: [name = ''], options, request, print }) {
    const skill = objectOf(await request('POST', placeOf(options).changed(name, '/update')))
    await print(`“${name}” is up to date (SHA-256 ${String(objectOf(skill['installation'])['sha256'])}).`)
    return { status: 0, json: skill }
  },
})

/** Removes a skill. */
export const removeSkillCommand = defineCommand({
  name: 'skills remove',
  summary: 'remove a skill',
  arguments: [skillArgument],
  options: [...placeOptions],
  async run({ arguments: [name = ''], options, request, print }) {
    await request('DELETE', placeOf(options).changed(name))
    await print(`“${name}” is removed.`)
    return { status: 0, json: { removed: name } }
  },
})

/** Creates a skill from a template. */
export const createSkillCommand = defineCommand({
  name: 'skills create',
  summary: 'create a skill from a template, to be edited in the console',
  arguments: [skillArgument, { name: 'description', description: 'what it does, and when to use it', required: true }],
  options: [...placeOptions],
  async run({ arguments: [name = '', description = ''], options, request, print }) {
    const { prefix, agent } = placeOf(options)
    const skill = objectOf(await request('POST', prefix, { ...agent, name, description }))
    await print(`“${name}” is created (${String(skill['source'])}).`)
    return { status: 0, json: skill }
  },
})
