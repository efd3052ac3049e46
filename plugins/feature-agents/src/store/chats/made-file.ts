import { namedObject, Type } from '@agent-service/sdk'

/** A file of a workspace that a tool call made or changed, as it was when the call ended. */
export type MadeFile = {
  /** The call that made it. */
  readonly call_id: string
  /** Below the person's own folder: `workspaces/…`, of the agent that made it. */
  readonly path: string
  readonly name: string
  /** In bytes. */
  readonly size: number
  readonly etag?: string
  /** Only of pictures, by their content. */
  readonly media_type?: string
}

/** The most files that one message keeps; of more, those of the last calls. */
export const maxMadeFiles = 200

/** The same in responses and events. */
export const madeFileSchema = namedObject(
  'MadeFile',
  {
    call_id: Type.String({ description: 'The call that made or changed it.' }),
    path: Type.String({
      examples: ['workspaces/assistant/charts/sales.png'],
      description:
        'In the workspace of the agent that made it, another one’s for a delegated task. `/api/files/content?path=` returns its current content; 404 once it is deleted or moved.',
    }),
    name: Type.String({ examples: ['sales.png'] }),
    size: Type.Integer({ description: 'In bytes, when the call ended.', examples: [48_213] }),
    etag: Type.Optional(
      Type.String({ description: 'The entity tag of the file when the call ended: a different one means that it has changed since.' }),
    ),
    media_type: Type.Optional(
      Type.String({ description: 'Of PNG, JPEG, GIF and WebP pictures, by their content.', examples: ['image/png'] }),
    ),
  },
  { description: 'A file that a tool call made or changed. For people: models do not see it.' },
)
