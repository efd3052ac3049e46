import type { Share, Snapshot, SnapshotMessage } from '../store/share.js'
import type { PageTexts } from './texts.js'

/** Who said a message, in words. */
export const speakerName = (
  { role, name }: Pick<SnapshotMessage, 'role' | 'name'>,
  { agent_name }: Pick<Snapshot, 'agent_name'>,
  t: PageTexts,
): string => (role === 'person' ? t.person : (name ?? agent_name) || t.agent)

/** A shared chat as plain text, which is Markdown. */
export function chatText(share: Pick<Share, 'title'>, snapshot: Pick<Snapshot, 'agent_name' | 'messages'>, t: PageTexts): string {
  const pieces = share.title === '' ? [] : [`# ${share.title.replaceAll(/\s+/g, ' ')}`]
  let speaker: string | undefined
  for (const message of snapshot.messages) {
    const { role, text, partial } = message
    const name = speakerName(message, snapshot, t)
    // The steps of one answer share one heading, and a single text has none.
    if (snapshot.messages.length > 1 && name !== speaker) pieces.push(`## ${name}`)
    pieces.push(text)
    if (partial && role === 'agent') pieces.push(`*(${t.partial})*`)
    speaker = name
  }
  return `${pieces.join('\n\n')}\n`
}
