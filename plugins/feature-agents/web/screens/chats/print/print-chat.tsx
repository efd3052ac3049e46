import './print.css'
import { loadMarkdown } from '@agent-service/sdk/web/markdown'
import { render } from 'solid-js/web'
import { api, type Schemas } from '../../../api/index.js'
import { titleOf } from '../../../chats/chat-menu.js'
import { PrintedChat } from './printed-chat.js'
import { readPictures } from './read-pictures.js'

type Chat = Schemas['Chat']
type Message = Schemas['Message']

/** How long what is drawn late, such as formulas and diagrams, is waited for, in milliseconds. */
const maxDrawMs = 4_000

/**
 * Prints a chat, or saves it as PDF, as the browser offers: the whole branch that is shown, also what is
 * not on the screen. The page itself is not printed. @throws {ApiProblem} if the messages cannot be read.
 */
export async function printChat(chat: Chat): Promise<void> {
  const [messages] = await Promise.all([readMessages(chat), loadMarkdown()])
  const pictures = await readPictures(messages)
  const sheet = document.createElement('div')
  sheet.className = 'print-sheet'
  // Nothing of it is for those who read the page.
  sheet.setAttribute('aria-hidden', 'true')
  sheet.inert = true
  document.body.append(sheet)
  const dispose = render(() => <PrintedChat chat={chat} messages={messages} pictures={pictures} />, sheet)
  const [title, theme] = [document.title, document.documentElement.dataset['theme']]
  const end = (): void => {
    dispose()
    sheet.remove()
    for (const { address } of pictures.values()) URL.revokeObjectURL(address)
    document.title = title
    if (theme === undefined) delete document.documentElement.dataset['theme']
    else document.documentElement.dataset['theme'] = theme
  }
  try {
    await drawn(sheet)
    // The name of the file that browsers suggest.
    document.title = titleOf(chat)
    document.documentElement.dataset['theme'] = 'light'
    // Some browsers come back from print() before the person has chosen a printer.
    addEventListener('afterprint', end, { once: true })
    window.print()
  } catch (error) {
    removeEventListener('afterprint', end)
    end()
    throw error
  }
}

async function readMessages({ id }: Chat): Promise<readonly Message[]> {
  const messages: Message[] = []
  for (let cursor: string | null = '0'; cursor !== null; ) {
    const page: Schemas['MessagePage'] = await api.get('/api/chats/{chat_id}/messages', {
      path: { chat_id: id },
      query: { limit: 200, cursor },
    })
    messages.push(...page.items)
    cursor = page.next_cursor
  }
  return messages
}

/** Resolves when nothing in the sheet has changed for a moment. */
function drawn(sheet: HTMLElement): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      observer.disconnect()
      clearTimeout(limit)
      clearTimeout(quiet)
      resolve()
    }
    const limit = setTimeout(done, maxDrawMs)
    let quiet = setTimeout(done, 250)
    const observer = new MutationObserver(() => {
      clearTimeout(quiet)
      quiet = setTimeout(done, 250)
    })
    observer.observe(sheet, { childList: true, subtree: true, characterData: true })
  })
}
