/** A file that the page gave to the person (`saveText`, `saveBlob`, a link with `download`). */
export interface SavedFile {
  /** Its name, as the page proposes it. */
  readonly name: string
  /** What is in it: `await content.text()`. */
  readonly content: Blob
}

const saved: SavedFile[] = []
const blobs = new Map<string, Blob>()

/** The files that the test has been given, in their order. */
export const savedFiles = (): readonly SavedFile[] => saved

/** Keeps what links with `download` lead to, of what the page has made itself. */
export function keepSavedFiles(): void {
  const { createObjectURL } = URL
  URL.createObjectURL = (content: Blob) => {
    const address = createObjectURL(content)
    blobs.set(address, content)
    return address
  }
  const { click } = HTMLAnchorElement.prototype
  HTMLAnchorElement.prototype.click = function () {
    const content = this.hasAttribute('download') ? blobs.get(this.href) : undefined
    if (content) saved.push({ name: this.download, content })
    else click.call(this)
  }
}

/** Forgets the files of a test that has ended. */
export function forgetSavedFiles(): void {
  saved.length = 0
  blobs.clear()
}
