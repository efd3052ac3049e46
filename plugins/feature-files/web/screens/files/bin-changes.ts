import { createSignal } from 'solid-js'

const [version, setVersion] = createSignal(0)

/** Grows when something comes into the bin or leaves it other than by the bin's own page. */
export const binVersion = version
export const binChanged = (): void => void setVersion((now) => now + 1)
