import { createSignal } from 'solid-js'
import { untilGone } from '../core/until-gone.js'
import type { IconName } from '../ui/icons.js'
import type { MenuItem } from '../ui/menu.js'

/** A file or a chat that is shown somewhere, and has a menu or buttons there. */
export type ItemTarget = { readonly name: string } & (
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'chat'; readonly chatId: string }
)

/** What a feature can do with an item that belongs to another, such as sharing a file: an entry of its menu, or a button beside it. */
export interface ItemAction extends MenuItem {
  /** Before the label, or alone in a small button. */
  readonly icon: IconName
  /** The label with the name of the item, for a button that does not stand on the item’s own page. */
  readonly namedLabel: string
  /** That `run` opens a dialog, for assistive technology. */
  readonly hasPopup?: 'dialog'
  /**
   * Whether the service can do it; false until that is known. The first call may ask the service. Buttons that come with an answer are
   * shown only then; menus have the entry in any case.
   */
  readonly isUsable: () => boolean
}

/** Actions of one feature for items of others. */
export interface ItemActionSource {
  /** Order among the sources, from low to high. */
  readonly order: number
  /** What it offers for an item; called again when a signal changes that it reads. */
  readonly actionsFor: (target: ItemTarget) => readonly ItemAction[]
}

const [sources, setSources] = createSignal<readonly ItemActionSource[]>([])

/** What all features together offer for an item, in their order. */
export const itemActions = (target: ItemTarget): readonly ItemAction[] => sources().flatMap(({ actionsFor }) => actionsFor(target))

/**
 * Adds entries to the menus of files and chats; the undo removes them. Call it in `start` of a screen.
 *
 * @example
 * export function start(): void {
 *   addItemActions({
 *     order: 50,
 *     actionsFor: (target) =>
 *       target.kind === 'file'
 *         ? [
 *             {
 *               label: t('count_lines'),
 *               namedLabel: t('count_lines_of', { name: target.name }),
 *               icon: 'list-details',
 *               isUsable: () => true,
 *               run: () => void navigate(`/panels/tool-lines?file=${encodeURIComponent(target.path)}`),
 *             },
 *           ]
 *         : [],
 *   })
 * }
 */
export function addItemActions(source: ItemActionSource): () => void {
  setSources((before) => [...before, source].sort((one, other) => one.order - other.order))
  return untilGone(() => void setSources((before) => before.filter((other) => other !== source)))
}
