/** The commands that only the npm package carries. */
export const ELSEWHERE = [
  ...["simulate", "pate", "export", "import", "serve", "mcp", "keygen", "witness"],
  ...["audit", "demo", "studio", "doctor", "completion"],
];
