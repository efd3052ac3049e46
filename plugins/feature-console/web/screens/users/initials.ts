/** Two letters at most, for the place of a face. */
export const initialsOf = ({ name, username }: { readonly name: string | null; readonly username: string }): string =>
  (name ?? username)
    .split(/[\s_-]+/)
    .slice(0, 2)
    .map((word) => word.charAt(0).toUpperCase())
    .join('')
