import type { Share, Snapshot } from '../store/share.js'
import type { PageTexts } from './texts.js'

/** A shared chat as plain text, which is Markdown. */
export function chatText(share: Pick<Share, 'title'>, snapshot: Pick<Snapshot, 'agent_name' | 'messages'>, t: PageTexts): string {
  const pieces = share.title === '' ? [] : [`# ${share.title.replaceAll(/\s+/g, ' ')}`]
  let speaker: string | undefined
  for (const { role, text, partial } of snapshot.messages) {
    // The steps of one answer share one heading, and a single text has none.
    if (snapshot.messages.length > 1 && role !== speaker)
      pieces.push(`## ${role === 'person' ? t.person : (snapshot.agent_name ?? t.agent)}`)
    pieces.push(text)
    if (partial && role === 'agent') pieces.push(`*(${t.partial})*`)
    speaker = role
  }
  return `${pieces.join('\n\n')}\n`
}
