/**
 * Machines a simulated cluster begins with. Workers are in three zones; `with-control-plane` has one node more that only tolerant pods may
 * use, `with-gpus` one that has devices.
 */
export const PRESET_NAMES = ['no-nodes', 'one-node', 'three-nodes', 'six-nodes', 'with-control-plane', 'with-gpus'] as const;

export type PresetName = (typeof PRESET_NAMES)[number];

export function isPresetName(text: string): text is PresetName {
  return (PRESET_NAMES as readonly string[]).includes(text);
}
