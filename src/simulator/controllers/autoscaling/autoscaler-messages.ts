/** What the autoscaler says. Source: pkg/controller/podautoscaler/{horizontal,replica_calculator}.go, metrics/client.go. */
export const AUTOSCALER_WORDS = {
  noScale: (error: string) => `the HPA controller was unable to get the target's current scale: ${error}`,
  gotScale: "the HPA controller was able to get the target's current scale",
  notScaled: (error: string) => `the HPA controller was unable to update the target scale: ${error}`,
  scaled: (size: number) => `the HPA controller was able to update the target scale to ${size}`,
  disabled: 'scaling is disabled since the replica count of the target is zero',
  noSelector: "the HPA target's scale is missing a selector",
  ambiguous: (selector: string, autoscalers: readonly string[]) =>
    `pods by selector ${selector} are controlled by multiple HPAs: [${autoscalers.join(' ')}]`,
  notComputed: (error: string) => `the HPA was unable to compute the replica count: ${error}`,
  computed: (metric: string) => `the HPA was able to successfully calculate a replica count from ${metric}`,
  invalidMetrics: (invalid: number, all: number, first: string) =>
    `invalid metrics (${invalid} invalid out of ${all}), first error is: ${first}`,
  matches: 'recommended size matches current size',
  stabilizedDown: 'recent recommendations were higher than current one, applying the highest recent recommendation',
  stabilizedUp: 'recent recommendations were lower than current one, applying the lowest recent recommendation',
  inRange: 'the desired count is within the acceptable range',
  tooMany: 'the desired replica count is more than the maximum replica count',
  tooFew: 'the desired replica count is less than the minimum replica count',
  tooFast: 'the desired replica count is increasing faster than the maximum scale rate',
  tooFastDown: 'the desired replica count is decreasing faster than the maximum scale rate',
  resized: (size: number, why: string) => `New size: ${size}; reason: ${why}`,
} as const;
