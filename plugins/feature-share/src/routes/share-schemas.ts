import { namedObject, Type } from '@agent-service/sdk'
import type { MintedShare } from '../minting/share-service.js'
import { type Share, shareKinds } from '../store/share.js'

const nullable = (schema: ReturnType<typeof Type.String>) => Type.Union([schema, Type.Null()])
const members = {
  id: Type.String({ description: 'For revoking the link. Gives no access.' }),
  kind: Type.Union(shareKinds.map((kind) => Type.Literal(kind))),
  title: Type.String({ description: 'The name of the file, or the title of the chat; empty if it has none.', examples: ['report.pdf'] }),
  path: nullable(Type.String({ description: 'Of a file.', examples: ['files/report.pdf'] })),
  chat_id: nullable(Type.String({ description: 'Of a chat.' })),
  created_by: Type.Union([Type.Literal('person'), Type.Literal('agent'), Type.Literal('service')], {
    description: '`service`: a part of the service, such as a channel whose reply was too long.',
  }),
  created_at: Type.String(),
  expires_at: Type.String({ description: 'Never changes. From this moment on the link does not work.' }),
  expired: Type.Boolean({ description: 'Whether it has expired; it is listed until the next clean-up.' }),
  uses: Type.Integer({ minimum: 0, description: 'How often the content or the page was opened; some seconds late.' }),
  last_used_at: nullable(Type.String()),
}

/** A link in a list. */
export const shareSchema = namedObject('Share', members)

/** A new link, with the URLs that are shown once. */
export const newShareSchema = namedObject('NewShare', {
  ...members,
  content_url: Type.String({ description: 'The content itself. Shown now and never again.', examples: ['https://example.org/s/Jw3…'] }),
  page_url: Type.String({ description: 'A page for people. Shown now and never again.', examples: ['https://example.org/p/Jw3…'] }),
})

const expiry = {
  expires_in_secs: Type.Optional(
    Type.Integer({ minimum: 60, maximum: 3_153_600_000, description: 'A shorter life than `share.ttl_secs`.', 'x-unit': 'seconds' }),
  ),
}

/** What is shared. */
export const shareInputSchema = namedObject('CreateShare', {
  path: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 1_000,
      description: 'A file, as it will be: `files/report.pdf`, `workspaces/<agent>/notes.md`.',
    }),
  ),
  chat_id: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: 'A chat, as it is now.' })),
  ...expiry,
})

/** A link as its owner sees it. */
export function viewOfShare(share: Share, now: number) {
  const { id, kind, title, subsystem, path, chat_id, created_by, created_at, expires_at, uses, last_used_at } = share
  return {
    ...{ id, kind, title, path: path === null ? null : `${subsystem}/${path}`, chat_id, created_by, created_at, expires_at },
    ...{ expired: Date.parse(expires_at) <= now, uses, last_used_at },
  }
}

export const viewOfNewShare = ({ share, contentUrl, pageUrl }: MintedShare, now: number) => ({
  ...viewOfShare(share, now),
  ...{ content_url: contentUrl, page_url: pageUrl },
})
