export { AddressError, type AddressErrorCode } from './addresses/address-error.ts'
export { type ChainTicker, chainTickers } from './addresses/chains.ts'
export { type CheckedAddress, checkAddress, storedStrength } from './addresses/check-address.ts'
export { type ChainCandidate, detectChain, mistypedChain } from './addresses/detect-chain.ts'
export { mainTicker, tickerAliases } from './addresses/main-ticker.ts'
export { type TokenContract, tokenContract } from './addresses/token-contracts.ts'
export {
  networkName,
  networksOf,
  networkTicker,
  sharesAddresses,
} from './addresses/token-networks.ts'
export type { NetworkKind, Strength } from './addresses/verdict.ts'
export {
  ALPHABET_VERSION,
  alphabetIndex,
  emojiAlphabet,
  type SkinTone,
  skinTones,
} from './ids/alphabet.ts'
export {
  detailsOf,
  type EmojiDetails,
  type EmojiGroup,
  emojiDetails,
  emojiGroups,
  spokenName,
} from './ids/details.ts'
export { EmojiIdError, type EmojiIdErrorKind, type EmojiIdPosition } from './ids/emoji-id-error.ts'
export { flippableEmoji } from './ids/flippable.ts'
export { chainFormat, displayFormat, emojisOf, toDisplayFormat } from './ids/formats.ts'
export { idsInText } from './ids/ids-in-text.ts'
export {
  decodeSegment,
  type EmojiId,
  isEmojiId,
  parseEmojiId,
  parseEmojiIdSegment,
  parseTonedEmojiId,
  type TonedEmojiId,
} from './ids/parse.ts'
export { fitsPattern, type IdPattern, randomFitting } from './ids/pattern.ts'
export { pictureThemes } from './ids/picture-themes.ts'
export { defaultPrices, type PriceTable, priceOf, priceOfScore } from './ids/prices.ts'
export { type HeldEmoji, heldBackEmojis, isReleased } from './ids/release.ts'
export { popularity, rhythmScore, scoreRange } from './ids/rhythm.ts'
export {
  type EmojiPattern,
  type ShapeMatch,
  type ShapeName,
  shapeMatch,
  shapeNames,
  shapeOf,
} from './ids/shape.ts'
export { SHEET_COLUMNS, type SheetPlace, sheetPath, sheetPlace } from './ids/sheets.ts'
export {
  emojiSlugs,
  isPartlyShortname,
  nameOfEmoji,
  parseShortname,
  shortNames,
  shortname,
  slugOf,
  spokenNames,
} from './ids/shortnames.ts'
export { parseSpelling } from './ids/spellings.ts'
export { MAX_EMOJIS } from './ids/tokenise.ts'
export {
  type BoxRecipe,
  contentsHash,
  drawBox,
  type Rejection,
  type RevealedBox,
  recipeHash,
  recomputeBox,
  recomputeStepwise,
  seedHash,
} from './lootboxes/box.ts'
export { type BoxConfig, drawScores, type Odds, oddsOf, type ScoreRange } from './lootboxes/odds.ts'
export { type Draw, seededDraw } from './lootboxes/seeded-draw.ts'
export { AmountError, checkAmount, type DecimalAmount, inSmallestUnits } from './payments/amount.ts'
export { type PaymentRequest, paymentUri } from './payments/payment-uri.ts'
export {
  byRecency,
  isPayable,
  type PaymentAddress,
  paymentAddresses,
  paymentKey,
  paymentLookup,
  readPaymentAddress,
  type StoredRecord,
  singleValueKey,
} from './payments/payment-view.ts'
export { addressInUri } from './payments/read-payment-uri.ts'
export { recordsOfTicker } from './payments/ticker-records.ts'
export { isNetworkOf, type TokenAddress, tokenAddress } from './payments/token-address.ts'
export { type AddressData, buildAddressData, parseAddressData } from './records/address-data.ts'
export { type CheckedRecord, checkRecord, type RecordInput } from './records/check-record.ts'
export { type KnownToken, knownTokens } from './records/known-tokens.ts'
export {
  EMPTY_MERKLE_ROOT,
  type MerkleStep,
  merkleRoot,
  merkleTreeInParts,
  signedMessage,
  signingDomain,
  verifyMerkleProof,
} from './records/merkle.ts'
export {
  avatarOf,
  hasTooManyLinks,
  inReadingOrder,
  linksAtMost,
  longestAvatar,
  type Profile,
  pictureOf,
  profileLengths,
  profileMembers,
  readProfile,
} from './records/profile.ts'
export { RecordError, type RecordErrorCode } from './records/record-error.ts'
export { recordHash } from './records/record-hash.ts'
export { replaceRecords, withoutRecency } from './records/replace-records.ts'
export {
  hashToScalar,
  isSchnorrSignature,
  proofDomain,
  proofMessage,
  type SchnorrSignature,
  schnorrChallenge,
} from './records/schnorr.ts'
export {
  isSingleValue,
  knownTags,
  newestShownAs,
  otherCurrencyTag,
  parseTag,
  parseTagList,
  type Tag,
  type TagClass,
  type TagInfo,
  tagClass,
  tagFromNumber,
  tagInfo,
  tagNumber,
  tagUse,
  tokenTag,
} from './records/tags.ts'
export {
  isCurrency,
  tagsOfTicker,
  tagsOfTickerOrThrow,
  unknownTicker,
} from './records/tickers.ts'
export {
  buildTickerAddress,
  buildTokenData,
  parseTickerAddress,
  parseTokenData,
  type TickerAddress,
  type TokenData,
} from './records/token-data.ts'
export { checkUrl } from './records/url.ts'
export {
  clearableLimits,
  endpointStatuses,
  globalRoles,
  jobStates,
  lootboxStatuses,
  memberRoles,
  storeKeys,
} from './web/choices.ts'
export {
  clientSecretsAtMost,
  lootboxLimits,
  pubkeysAtMost,
  textLengths,
  withoutInvisible,
} from './web/form-limits.ts'
export { type Language, languageAmong, languages, type Messages } from './web/language.ts'
export { isLoopback } from './web/loopback.ts'
export { appViews, partnerViews, patternOf } from './web/views.ts'
