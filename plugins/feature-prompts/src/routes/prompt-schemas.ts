import { type JsonObject, namedObject, Type } from '@agent-service/sdk'
import { commandPattern, maxPrompts, maxTextCharacters, maxTitleCharacters } from '../common/limits.js'
import type { ListedPrompt } from '../service/prompt-list.js'

const members = {
  command: Type.String({
    pattern: commandPattern,
    maxLength: 32,
    examples: ['translate'],
    description: 'What is typed behind “/”: lower-case letters, digits and “-”, of which the first is no “-”.',
  }),
  title: Type.String({ minLength: 1, maxLength: maxTitleCharacters, pattern: '\\S', examples: ['Translate a text'] }),
  text: Type.String({
    minLength: 1,
    maxLength: maxTextCharacters,
    pattern: '\\S',
    examples: ['Translate into {{language=German}}: {{text}}'],
    description:
      'Plain text. `{{name}}` is asked for when the prompt is used, `{{name=default}}` with a default; `{{date}}` is the day of use.',
  }),
}
const shared = Type.Union([Type.Literal('me'), Type.Literal('everyone')], { description: 'Who has it.' })

export const promptInputSchema = namedObject('CreatePrompt', members)
export const promptChangeSchema = Type.Object(
  { command: Type.Optional(members.command), title: Type.Optional(members.title), text: Type.Optional(members.text) },
  { minProperties: 1 },
)
export const promptSharingSchema = Type.Object({ shared })
export const promptImportSchema = Type.Object({
  prompts: Type.Array(promptInputSchema, { minItems: 1, maxItems: maxPrompts }),
  existing: Type.Optional(
    Type.Union([Type.Literal('skip'), Type.Literal('replace')], {
      description: 'What happens to a prompt whose command the caller has already. Default: skip.',
    }),
  ),
})
export const promptImportResultSchema = namedObject('PromptImportResult', {
  created: Type.Integer(),
  replaced: Type.Integer(),
  skipped: Type.Integer(),
})

const listed = {
  id: Type.String({ examples: ['0198a3c2-6f1e-7bd4-9c55-3f0f7d0a51c2'] }),
  command: members.command,
  title: members.title,
  excerpt: Type.String({ description: 'The beginning of the text, in one line.' }),
  shared,
  own: Type.Boolean({ description: 'Whether it is the caller’s own.' }),
  owner: Type.Union([Type.String(), Type.Null()], { description: 'The name of the person who shares it; null for an own one.' }),
  shadowed: Type.Boolean({ description: 'A shared one whose command one of the caller has: that one is used in its place.' }),
  version: Type.Integer({ description: 'For `If-Match` and as `ETag`.', examples: [1] }),
  used_at: Type.Union([Type.String(), Type.Null()], { description: 'When the caller last used it.' }),
  created_at: Type.String({ examples: ['2026-01-31T09:00:00.000Z'] }),
  updated_at: Type.String({ examples: ['2026-01-31T09:00:00.000Z'] }),
}
export const listedPromptSchema = namedObject('ListedPrompt', listed)
export const promptSchema = namedObject('Prompt', { ...listed, text: members.text })

export const viewOf = ({ prompt, isOwn, ownerName, isShadowed, usedAt }: ListedPrompt): JsonObject => {
  const { id, command, title, excerpt, shared, version, created_at, updated_at } = prompt
  return {
    id,
    command,
    title,
    excerpt,
    shared,
    version,
    created_at,
    updated_at,
    own: isOwn,
    owner: ownerName,
    shadowed: isShadowed,
    used_at: usedAt,
  }
}
