import { named, namedObject, Type } from '@agent-service/sdk'

/** Clients may rely on the members of a part. Adapters of models may add more. */
const open = { additionalProperties: true }

/** Where the content of an image or a file is: in `data`, at `url`, or in a file of the person. */
const content = {
  data: Type.Optional(Type.String({ description: 'Base64.' })),
  url: Type.Optional(Type.String({ description: 'An address from which the vendor of the model fetches it.' })),
  path: Type.Optional(
    Type.String({
      description: 'On a file that a person attached: `/api/files/content?path=` returns its current content; `data` is omitted.',
    }),
  ),
  size: Type.Optional(Type.Integer({ description: 'With `path`: the size of the attached file, in bytes.' })),
  workspace_paths: Type.Optional(
    Type.Array(Type.String({ examples: ['workspaces/assistant/attachments/menu.pdf'] }), {
      description: 'With `path`: where the file lies in the workspaces of agents that answered and have tools for files.',
    }),
  ),
  etag: Type.Optional(
    Type.String({ description: 'With `path`: the entity tag of the attached file. Send it as `If-Match` to get only that version.' }),
  ),
}
const ofCall = { call_id: Type.String(), provider_call_id: Type.Optional(Type.String()), name: Type.String({ examples: ['get_time'] }) }

const textPart = namedObject('TextPart', { type: Type.Literal('text'), text: Type.String({ examples: ['How about a risotto?'] }) }, open)
const imagePart = namedObject(
  'ImagePart',
  {
    type: Type.Literal('image'),
    media_type: Type.String(),
    name: Type.Optional(Type.String({ description: 'With `path`: the name of the attached file.' })),
    ...content,
  },
  { ...open, examples: [{ type: 'image', media_type: 'image/png', data: 'iVBORw0KGgo=' }] },
)
const filePart = namedObject(
  'FilePart',
  { type: Type.Literal('file'), media_type: Type.String(), name: Type.String(), ...content },
  { ...open, examples: [{ type: 'file', media_type: 'application/pdf', name: 'menu.pdf', path: 'files/menu.pdf', size: 48_213 }] },
)
const reasoningPart = namedObject('ReasoningPart', { type: Type.Literal('reasoning'), text: Type.String() }, open)
const toolCallPart = namedObject(
  'ToolCallPart',
  {
    type: Type.Literal('tool_call'),
    ...ofCall,
    arguments: Type.Object({}, { additionalProperties: true }),
    invalid_arguments: Type.Optional(
      Type.String({ description: 'What the model wrote instead of a JSON object; `arguments` is empty then.' }),
    ),
  },
  open,
)

/** A part of the result of a tool call. */
export const resultPartSchema = named('ResultPart', Type.Union([textPart, imagePart, filePart]))

const toolResultPart = namedObject(
  'ToolResultPart',
  {
    type: Type.Literal('tool_result'),
    ...ofCall,
    content: Type.Array(resultPartSchema),
    is_error: Type.Optional(Type.Boolean({ description: 'The tool failed and `content` says why. Default false.' })),
    outcome: Type.Optional(Type.Literal('unknown', { description: 'The call may or may not have had its effect.' })),
  },
  open,
)

/** A part of a message in responses and events. */
export const partSchema = named('Part', Type.Union([textPart, imagePart, filePart, reasoningPart, toolCallPart, toolResultPart]))
