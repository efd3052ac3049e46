import { isOfService } from './router.js'

let find: (path: string) => boolean = () => true

/** Sets how screens are found; the shell knows which there are. */
export const onHasScreen = (has: (path: string) => boolean): void => {
  find = has
}

/**
 * Whether the console has a screen at an address: those of plugins come and go, also while a page is shown, which
 * follows; what the service itself answers counts as there. Ask it for links to the screens of other plugins; one to a screen that is not there leads nowhere.
 *
 * @example
 * <Show when={hasScreen('/tasks')}>
 *   <a href="/tasks">{t('tasks')}</a>
 * </Show>
 */
export function hasScreen(address: string): boolean {
  const path = address.replace(/[?#].*$/, '')
  return isOfService(path) || find(path)
}
