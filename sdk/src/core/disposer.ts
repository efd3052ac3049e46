/** Undoes one thing. May be called more than once and must then do nothing the second time. */
export type Disposer = () => void | Promise<void>
