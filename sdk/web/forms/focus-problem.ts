/** Goes to the first field with a problem, once problems are shown; false: there is none. */
export async function focusProblem(form: HTMLElement): Promise<boolean> {
  await new Promise((resolve) => setTimeout(resolve))
  const field = form.querySelector<HTMLElement>('[aria-invalid="true"]')
  // What is folded away takes no focus.
  for (let fold = field?.closest('details'); fold; fold = fold.parentElement?.closest('details')) fold.open = true
  field?.focus()
  return field !== null
}
