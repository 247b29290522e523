/**
 * A certificate for localhost that signs itself, and its key: for tests only, and worth nothing elsewhere. Made by
 * `openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 36500`.
 * @module
 */
export const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBmzCCAUGgAwIBAgIUNOByZO3oxKyRoXKPlrhfQjnzEgcwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTExNjA4MjIwMVoYDzIxMjYxMDIz
MDgyMjAxWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAATnioQQOGAFc/Was0eR/q6DtBKTguQdAYI2FTxAQFI314oc2H/BZZfd
/fnhmBQUTorNM2i9M0feSqhstS/pMUhqo28wbTAdBgNVHQ4EFgQUnJZ/O5rKhjF8
CFtpJGL2n/DkVC0wHwYDVR0jBBgwFoAUnJZ/O5rKhjF8CFtpJGL2n/DkVC0wDwYD
VR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwCgYIKoZI
zj0EAwIDSAAwRQIhALp3yP9xrPrtlxCUptnYxXUJq+uUkvxFAsEmTinuT3ZtAiAT
C5HDimSJAAF6Bi30Us3sP9lUEAXZ5NcKVULKRnzwJQ==
-----END CERTIFICATE-----
`;

export const PRIVATE_KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgbtcIFBw+uVUL969E
QVlwJNCf8EAZShf2L73I91braq+hRANCAATnioQQOGAFc/Was0eR/q6DtBKTguQd
AYI2FTxAQFI314oc2H/BZZfd/fnhmBQUTorNM2i9M0feSqhstS/pMUhq
-----END PRIVATE KEY-----
`;
