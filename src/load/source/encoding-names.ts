/** The names of encodings. Apart from what compares them, since every start reads flags. */
import { TextDecoder } from 'node:util';

/** The encodings that the error for a wrong name lists; `TextDecoder` knows further names for them (Encoding Standard). */
export const ENCODINGS: readonly string[] = [
  ...['utf-8', 'utf-16le', 'utf-16be', 'windows-1252', 'windows-1250', 'windows-1251', 'windows-1253', 'windows-1254'],
  ...['windows-1255', 'windows-1256', 'windows-1257', 'windows-1258', 'windows-874', 'iso-8859-2', 'iso-8859-5'],
  ...['iso-8859-7', 'iso-8859-15', 'koi8-r', 'koi8-u', 'macintosh', 'ibm866', 'shift_jis', 'euc-jp', 'iso-2022-jp'],
  ...['gbk', 'gb18030', 'big5', 'euc-kr'],
];

export function isEncoding(name: string): boolean {
  try {
    return new TextDecoder(name).encoding !== '';
  } catch {
    return false;
  }
}
