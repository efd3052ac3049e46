/** A decoded picture: four bytes for each pixel, row by row. */
export interface Pixels {
  readonly bytes: Uint8Array
  readonly width: number
  readonly height: number
}

/**
 * The pixels of a picture whose camera was held in some way, with the first row on top.
 * `orientation`: as EXIF counts it, 2 to 8; any other leaves the picture as it is.
 */
export function uprightPixels(given: Pixels, orientation: number): Pixels {
  if (!(orientation >= 2 && orientation <= 8)) return given
  const { width, height } = given
  const source = new Uint32Array(given.bytes.slice().buffer)
  const isTurned = orientation >= 5
  const [columns, rows] = isTurned ? [height, width] : [width, height]
  const target = new Uint32Array(source.length)
  for (let y = 0; y < rows; y += 1)
    for (let x = 0; x < columns; x += 1) {
      const [along, down] = isTurned ? [y, x] : [x, y]
      const column = [2, 3, 7, 8].includes(orientation) ? width - 1 - along : along
      const row = [3, 4, 6, 7].includes(orientation) ? height - 1 - down : down
      target[y * columns + x] = source[row * width + column] ?? 0
    }
  return { bytes: new Uint8Array(target.buffer), width: columns, height: rows }
}
