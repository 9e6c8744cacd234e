/** Lets everything be heard that has come meanwhile, Ctrl-C for one: composing and playing take seconds, and never wait by themselves. */
export async function yieldToEvents(): Promise<void> {
  for (let round = 0; round < 2; round++) await new Promise((resolve) => void setTimeout(resolve, 0));
}
