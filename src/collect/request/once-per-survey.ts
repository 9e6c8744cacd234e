import type { Scene } from '../survey/scene.ts';

/** Makes a reading of the scene that several collectors ask for happen once for each look at a cluster. */
export function oncePerSurvey<T>(read: (scene: Scene) => Promise<T>): (scene: Scene) => Promise<T> {
  const known = new WeakMap<Scene, Promise<T>>();
  return (scene) => {
    const pending = known.get(scene) ?? read(scene);
    known.set(scene, pending);
    return pending;
  };
}
