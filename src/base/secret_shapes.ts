/**
 * Patterns of secrets that are recognisable without context. The prefixes are those that services
 * give their keys for this purpose.
 */
const SHAPES: readonly string[] = [
  // A URL with a password in it.
  String.raw`(?<=:\/\/)[^/@\s:]*:[^/@\s]+(?=@)`,
  // A private key.
  String.raw`-----BEGIN [A-Z0-9 ]*PRIVATE KEY(-----[^-]*(-----END [A-Z0-9 ]*PRIVATE KEY-----)?)?`,
  // OpenAI, Anthropic, Stripe, GitHub, GitLab, Slack, AWS, Google, npm, Hugging Face, SendGrid.
  String.raw`\bsk-[\w-]{16,}|\b[rs]k_(live|test)_\w{8,}|\bwhsec_\w{8,}`,
  String.raw`\bgh[pousr]_\w{16,}|\bgithub_pat_\w{16,}|\bglpat-[\w-]{16,}|\bxox[a-z]-[\w-]{8,}`,
  String.raw`\b(AKIA|ASIA)[A-Z0-9]{16}\b|\bAIza[\w-]{30,}|\bya29\.[\w-]{16,}`,
  String.raw`\bnpm_\w{30,}|\bhf_\w{16,}|\bSG\.[\w-]{16,}\.[\w-]{16,}`,
  // A JSON web token.
  String.raw`\beyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]*`,
  // Addresses of webhooks: knowing one is enough to post there.
  String
    .raw`https:\/\/(hooks\.slack\.com\/(services|workflows)|(\w+\.)?discord(app)?\.com\/api\/webhooks|` +
  String
    .raw`[\w.-]+\.webhook\.office\.com|chat\.googleapis\.com\/v1\/spaces|api\.telegram\.org\/bot)\S*`,
];

const ANY = new RegExp(SHAPES.join("|"));
const ALL = new RegExp(ANY, "g");

/**
 * True if a text contains something that looks like a secret: a URL with a password, a private key,
 * a key of a well-known service, a JSON web token, or the address of a webhook.
 */
export function holdsSecret(text: string): boolean {
  return ANY.test(text);
}

/** Replaces each secret that {@linkcode holdsSecret} recognises by `[secret]`. */
export function withoutSecrets(text: string): string {
  return text.replace(ALL, "[secret]");
}
