import { defineServiceReference } from '../core/service-reference.js'

/** A link that works without a sign-in until it expires or is revoked. */
export interface ShareLink {
  /** For revoking it. Gives no access. */
  readonly id: string
  /**
   * The absolute URL of the content itself: the file, or the chat as plain text. Whoever has it can
   * read the content; it is given here alone, and cannot be read again.
   */
  readonly contentUrl: string
  /** The absolute URL of a page for people that shows the content. The same secret. */
  readonly pageUrl: string
  /** In milliseconds since 1970. Fixed: `share.ttl_secs` after the link was made, or earlier. */
  readonly expiresAt: number
}

/** What every link has. */
export interface ShareRequest {
  /** Whose link it is: it counts against this user's quota, and they see and revoke it. */
  readonly userId: string
  /** A shorter life than `share.ttl_secs`, in seconds; at least 60. */
  readonly expiresInSeconds?: number
}

/** Something that was said, for a {@link ShareLinks.shareText}. */
export interface SharedMessage {
  /** Who said it. */
  readonly role: 'person' | 'agent'
  /** Markdown. */
  readonly text: string
}

/**
 * Makes links for people without an account: what does not fit into a text message, or a file that
 * an agent made. Whoever calls has to know that the user wants this content to be read by others.
 *
 * @example
 * const { contentUrl } = await context.use(shareLinksService).shareText(
 *   { userId, title: 'Invoices of May', messages: [{ role: 'agent', text: 'Seven.' }] },
 *   { signal },
 * )
 * context.log.debug('A long answer has a link.', { length: contentUrl.length })
 */
export interface ShareLinks {
  /**
   * A link to a file of the user, `files/report.pdf` or `workspaces/<workspace>/report.pdf`, as it
   * is whenever the link is opened. @throws `not_found` if there is no such file, `invalid_request`
   * with the problem of the path, `forbidden` if the policies do not let the user read it,
   * `quota_exceeded`, the signal's reason.
   */
  shareFile(request: ShareRequest & { readonly path: string }, options: { readonly signal: AbortSignal }): Promise<ShareLink>
  /**
   * A link to a chat of the user as it is now; later messages do not appear. @throws `not_found`,
   * `chat_too_long`, `forbidden`, `quota_exceeded`, the signal's reason.
   */
  shareChat(request: ShareRequest & { readonly chatId: string }, options: { readonly signal: AbortSignal }): Promise<ShareLink>
  /**
   * A link to messages as they are given: a reply that is too long for its channel. Listed as a
   * chat. @throws `chat_too_long`, `quota_exceeded`, the signal's reason.
   */
  shareText(
    request: ShareRequest & { readonly title: string; readonly messages: readonly SharedMessage[] },
    options: { readonly signal: AbortSignal },
  ): Promise<ShareLink>
  /** Revokes a link of the user. False if there is none with this id. */
  revoke(request: { readonly userId: string; readonly id: string }): Promise<boolean>
}

/** Links to files and chats. Provided by `feature-share`. */
export const shareLinksService = defineServiceReference<ShareLinks>()('share-links')
