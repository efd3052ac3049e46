import { confirmAction, guardLeaving, showToast } from '@agent-service/sdk/web'
import type { Configuration } from '@agent-service/sdk/web/configuration'
import { createMemo, createSignal, onCleanup } from 'solid-js'
import { api, invalidate } from '../../api/index.js'
import { type Edit, type EditStore, effectiveEdits, patchOf } from '../model/edits.js'
import type { Finding } from '../model/findings.js'
import { at, isSame, isWithin } from '../model/schema.js'
import type { Setting } from '../model/setting.js'
import { t } from '../words/texts.js'
import { createLiveCheck } from './live-check.js'
import type { Change, Merge, Saved } from './review.js'

export type Editing = ReturnType<typeof createEditing>

/**
 * What is edited of some settings: checked live, reviewed, saved, and merged with what others saved
 * meanwhile. Asks before the page is left with changes.
 */
export function createEditing(of: {
  readonly configuration: () => Configuration
  readonly onRead: (configuration: Configuration) => void
  readonly settings: () => readonly Setting[]
  readonly store: EditStore
  readonly onSaved?: () => void
}) {
  const { store } = of
  const { edits } = store
  const [isReviewing, setReviewing] = createSignal(false)
  const [merge, setMerge] = createSignal<Merge>()
  const [refused, setRefused] = createSignal<readonly Finding[]>([])
  const settingAt = createMemo(() => new Map(of.settings().map((setting) => [setting.path, setting])))
  const changes = createMemo((): readonly Change[] =>
    effectiveEdits(edits()).map(([path, edit]) => ({ path, edit, setting: settingAt().get(path) })),
  )
  const count = (): number => changes().length
  const check = createLiveCheck(() => patchOf(edits()))

  const put = (path: string, edit: Edit | undefined): void => {
    setRefused((before) => before.filter((finding) => !isWithin(finding.path, path)))
    if (edit) store.put(path, edit)
    else store.drop(path)
  }
  const adopt = (found: Configuration): boolean => {
    // What a restart would end is other work by now.
    invalidate(['restart-work'])
    of.onRead(found)
    return store.settle(found)
  }
  /** Reads the file again, unless its changes are being reviewed. */
  const read = async (): Promise<void> => {
    if (isReviewing()) return
    try {
      adopt(await api.get('/api/admin/config'))
    } catch {
      // What is shown stays; the connection's own banner says what is the matter.
      return
    }
  }
  const close = (): void => {
    setReviewing(false)
    setMerge(undefined)
  }
  const clear = (): void => {
    close()
    setRefused([])
    store.clear()
  }
  const finish = ({ locked }: Saved): void => {
    const paths = Object.keys(edits())
    const variables = new Set(locked.filter(({ path }) => paths.some((each) => isWithin(each, path))).map(({ variable }) => variable))
    clear()
    showToast(variables.size > 0 ? t('saved_locked', { variables: [...variables].join(', ') }) : t('saved'))
    of.onSaved?.()
    void read()
  }
  const onStale = async (): Promise<void> => {
    const before = of.configuration()
    const found = await api.get('/api/admin/config')
    if (adopt(found)) return finish(found)
    const isTheirs = ({ path, parts, kind }: Setting): boolean =>
      kind !== 'secret' && !edits()[path] && !isSame(at(found.saved, parts), at(before.saved, parts))
    setMerge({ theirs: of.settings().filter(isTheirs) })
  }
  const confirmLoss = (title: string): Promise<boolean> =>
    confirmAction({ title, text: t('discard_text', { count: count() }), action: t('discard_action'), keep: t('keep') })
  onCleanup(
    guardLeaving(async () => {
      if (count() === 0) return true
      const leaves = await confirmLoss(t('discard_title'))
      if (leaves) store.clear()
      return leaves
    }),
  )
  return {
    ...{ store, edits, settingAt, changes, count, check, refused, setRefused, merge, isReviewing, setReviewing },
    ...{ put, adopt, read, close, finish, onStale },
    keep: (path: string): void => store.rebase(path, of.configuration()),
    async discard(): Promise<void> {
      if (await confirmLoss(t('discard_all_title'))) clear()
    },
  }
}
