/** Rules whose failure no scenario produces, and why. Only ever shorter. */
export const RULES_WITHOUT_SCENARIO: Readonly<Record<string, string>> = {
  'kubelet/pod-not-taken': 'a simulated kubelet takes every pod at once',
  'images/pull-secret-not-found':
    'a kubelet of 1.36 keeps the words of the registry in the status of the container, and those are explained by images/pull-access-denied',
};

/** Scenarios whose trouble nothing undoes, and why. Only ever shorter. */
export const SCENARIOS_WITHOUT_CURE: Readonly<Record<string, string>> = {};
