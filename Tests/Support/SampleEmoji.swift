package import FeedCore

/// Sample custom emoji.
package enum SampleEmoji {
    /// A PNG image of 16 × 9 pixels; the hash depends on the seed.
    package static func make(_ shortcode: String, _ seed: UInt8 = 1) -> CustomEmoji {
        CustomEmoji(
            shortcode: shortcode, format: .png, hash: Hex.text([UInt8](repeating: seed, count: 16)),
            content: SampleMedia.png(seed))
    }
}
