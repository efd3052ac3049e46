import { beginChat, type IconName } from '@agent-service/sdk/web'
import type { SlashHost } from './slash-host.js'
import { t } from './texts.js'

/** Something that the chat can do, in the list behind “/”. */
export interface SlashAction {
  /** What is typed for it. */
  readonly command: string
  readonly title: () => string
  readonly icon: IconName
  /** Whether there is something to do. Default: always. */
  readonly isAvailable?: (host: SlashHost) => boolean
  readonly run: (host: SlashHost) => void
}

const modelPicker = ({ field }: SlashHost): HTMLElement | null | undefined => field()?.form?.querySelector<HTMLElement>('.pick-model')

/** Another action is one entry more. */
export const slashActions: readonly SlashAction[] = [
  { command: 'new', title: () => t('new_chat'), icon: 'circle-plus', run: () => void beginChat() },
  {
    command: 'model',
    title: () => t('change_model'),
    icon: 'cpu',
    isAvailable: (host) => modelPicker(host) !== null,
    run: (host) => modelPicker(host)?.click(),
  },
  { command: 'attach', title: () => t('attach'), icon: 'paperclip', run: ({ attach }) => attach() },
]
