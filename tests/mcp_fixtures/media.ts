/** A red picture of one pixel, as PNG in Base64. */
export const IMAGE = {
  mimeType: "image/png",
  data: "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5E" +
    "rkJggg==",
};

/** A sound without samples, as WAV in Base64. */
export const AUDIO = {
  mimeType: "audio/wav",
  data: "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=",
};
