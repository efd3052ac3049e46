import { stringify } from 'yaml'

/** The SKILL.md of a new skill. */
export const templateOf = ({ name, description }: { readonly name: string; readonly description: string }): string => `---
${stringify({ name, description }, { lineWidth: 0 })}---

# ${name
  .split('-')
  .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
  .join(' ')}

## When to use

${description}

## Steps

1. Ask for what is missing before you begin.
2. Do the work.
3. Check the result against what was asked.

## Result

Say what was done, what was left out, and why.
`
