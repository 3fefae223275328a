import type { Quirk } from './quirk.ts';

/** What servers reject of pictures and files. Claude Code takes these out of a conversation by words such as `image exceeds`. */
export const mediaQuirks: readonly Quirk[] = [
  {
    texts: [/^(?:(?<param>[\w.]+): )?image exceeds (?<max>\d+) ?mb maximum\b/i],
    tell: ({ field, max }) =>
      `${field ?? 'The request'}: image exceeds ${max ?? 'the'} MB maximum. Send a smaller one.`,
  },
  {
    texts: [
      /^(?:(?<param>[\w.]+): )?.{0,40}\bimage dimensions exceed max allowed size for many-image requests: (?<max>\d+) pixels/i,
    ],
    tell: ({ field, max }) =>
      `${field ?? 'The request'}: image dimensions exceed ${max ?? 'the limit of'} pixels for many-image requests. Send smaller images, or fewer.`,
  },
  {
    texts: [
      /^(?:(?<param>[\w.]+): )?.{0,40}\bimage dimensions exceed max allowed size: (?<max>\d+) pixels/i,
    ],
    tell: ({ field, max }) =>
      `${field ?? 'The request'}: image dimensions exceed ${max ?? 'the limit of'} pixels. Send a smaller one.`,
  },
  {
    texts: [
      /^(?:(?<param>[\w.]+): )?image does not match the provided media type\b/i,
      /^(?:(?<param>[\w.]+): )?the image was specified using the image\/\w+ media type, but\b/i,
    ],
    tell: ({ field }) =>
      `${field ?? 'The request'}: image does not match the provided media type. Name the type that it has.`,
  },
  {
    texts: [/\bmaximum of (?<max>\d+) pdf pages\b/i],
    tell: ({ max }) =>
      max === null
        ? 'The request has more PDF pages than this model takes: send fewer.'
        : `A maximum of ${max} PDF pages may be provided: send fewer.`,
  },
  {
    texts: [/\bthe pdf specified is password protected\b/i],
    tell: 'The PDF specified is password protected: send it without its password.',
  },
  {
    texts: [/\bthe pdf specified was not valid\b|\bcould not process pdf\b/i],
    tell: 'The PDF specified was not valid: this model cannot read it.',
  },
  {
    code: 'unsupported_parameter',
    codes: ['image_content_not_supported'],
    texts: [
      /\bsupport image input\b|\bnot a multimodal model\b|\bdoes not support (?:image|vision)/i,
      /\bimage_url is only supported by certain models\b|\bat most 0 image/i,
      // llama.cpp
      /\bimage input is not supported\b/i,
    ],
    tell: 'This model cannot read images: leave them out, or choose another model.',
  },
  {
    code: 'unsupported_parameter',
    texts: [/\baudio input is not supported\b/i],
    tell: 'This model cannot read audio: leave it out, or choose another model.',
  },
  {
    codes: ['invalid_image_url', 'invalid_image_format', 'image_parse_error', 'invalid_image'],
    texts: [
      /^(?<param>[\w.]+): could not process image/i,
      /\b(?:could not process|unsupported|invalid|failed to (?:download|load|decode|process)|error while downloading) (?:the )?image/i,
      /\binvalid base64\b|\bcannot identify image file\b/i,
    ],
    tell: ({ field }) =>
      `An image of the request cannot be read${field === null ? '' : ` (${field})`}: send a PNG, JPEG, GIF or WebP, as a data URL or at a public URL.`,
  },
];
