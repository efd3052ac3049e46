import type { IconName } from '@agent-service/sdk/web'
import type { MadeFile } from './made-file.js'

const kinds: readonly (readonly [IconName, RegExp])[] = [
  ['photo', /\.(png|jpe?g|gif|webp|svg|avif|bmp|tiff?)$/i],
  ['table', /\.(csv|tsv|xlsx?|ods)$/i],
  ['file-zip', /\.(zip|gz|tgz|tar|7z|xz|bz2)$/i],
  ['file-code', /\.(html?|css|m?[jt]sx?|json|ya?ml|toml|xml|py|rb|go|rs|java|kt|c|h|cc|cpp|cs|php|sh|sql|ipynb)$/i],
]

/** The icon of a file, by its content as far as it is known, else by its name. */
export const iconOf = ({ name, media_type: mediaType }: MadeFile): IconName =>
  mediaType === undefined ? (kinds.find(([, names]) => names.test(name))?.[0] ?? 'file-text') : 'photo'
