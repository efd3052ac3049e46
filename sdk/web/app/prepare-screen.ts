let prepare: (path: string) => Promise<void> = async () => undefined

/** Sets how the files of screens are loaded; the shell knows which screens there are. */
export const onPrepareScreen = (load: (path: string) => Promise<void>): void => {
  prepare = load
}

/** Loads the screen of a path that is about to be shown, so that it is there at once. A failure is shown in its place. */
export const prepareScreen = (path: string): Promise<void> => prepare(path)
