import { loadPart } from '@agent-service/sdk/web'
import { createEffect, createRoot, onCleanup, untrack } from 'solid-js'
import type { Screen } from './screen.js'
import { screens } from './screens.js'

/**
 * Runs what screens have while others are shown, such as parts of the sidebar, for as long as the screen is there: what a
 * screen has added is taken back when its plugin goes. To be called in a component.
 */
export function startScreens(onFailure: (error: unknown) => void): void {
  const undos = new Map<Screen, () => void>()
  createEffect(() => {
    const current = new Set(screens().filter(({ start }) => start !== undefined))
    for (const [screen, undo] of undos) if (!current.has(screen)) undo()
    for (const screen of current)
      if (!undos.has(screen))
        undos.set(
          screen,
          untrack(() => begin(screen)),
        )
    for (const screen of undos.keys()) if (!current.has(screen)) undos.delete(screen)
  })
  onCleanup(() => {
    for (const undo of undos.values()) undo()
  })

  function begin(screen: Screen): () => void {
    let undo: (() => void) | undefined
    let isGone = false
    const run = (module: { readonly start: () => void }): void => {
      if (isGone) return
      createRoot((dispose) => {
        undo = dispose
        module.start()
      })
    }
    if (screen.start) loadPart(screen.start).then(run).catch(onFailure)
    return () => {
      isGone = true
      undo?.()
    }
  }
}
