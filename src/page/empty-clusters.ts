import { PRESET_NAMES } from '../model/preset.ts';
import type { Scenario } from '../model/scenario.ts';

/** A cluster of each preset in which nothing happens by itself. */
export const EMPTY_CLUSTERS: readonly Scenario[] = PRESET_NAMES.map((preset) => ({
  id: `clusters/${preset}`,
  title: 'an empty cluster',
  cluster: { preset, configuration: {} },
  setup: [],
  steps: [],
  untilMilliseconds: undefined,
  expect: undefined,
  cure: [],
}));
