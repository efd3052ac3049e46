import { type Accessor, createSignal } from 'solid-js'

/** The listeners of a place where files are dropped. */
export interface FileDrop {
  /** Whether files are held over the place. */
  readonly isOver: Accessor<boolean>
  readonly onDragOver: (event: DragEvent) => void
  readonly onDragLeave: (event: DragEvent) => void
  readonly onDrop: (event: DragEvent) => void
}

/** Takes dropped files; anything else that is dragged is left to the browser. */
export function createFileDrop(onFiles: (files: readonly File[]) => void): FileDrop {
  const [isOver, setOver] = createSignal(false)
  const hasFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') ?? false
  return {
    isOver,
    onDragOver(event) {
      if (!hasFiles(event)) return
      event.preventDefault()
      setOver(true)
    },
    onDragLeave(event) {
      const { currentTarget, relatedTarget } = event
      if (currentTarget instanceof Node && relatedTarget instanceof Node && currentTarget.contains(relatedTarget)) return
      setOver(false)
    },
    onDrop(event) {
      if (!hasFiles(event)) return
      event.preventDefault()
      setOver(false)
      onFiles([...(event.dataTransfer?.files ?? [])])
    },
  }
}
