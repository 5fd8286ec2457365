/// An image that replaces `:shortcode:` in texts.
package struct CustomEmoji: Sendable, Equatable {
    /// The maximum number of emoji.
    package static let maximumCount = 500
    /// The maximum size of an image in bytes.
    package static let maximumBytes = 256 * 1024
    /// The maximum size of all images together in bytes. They are kept in memory.
    package static let maximumTotalBytes = 16 << 20
    /// The maximum width and height in pixels.
    package static let maximumSide = 512
    /// The accepted formats.
    package static let formats: Set<MediaFormat> = [.png, .gif, .webp]

    /// Letters, digits and underscores of ASCII; see ``EmojiText/isShortcode(_:)``.
    package let shortcode: String
    package let format: MediaFormat
    /// The beginning of the SHA-256 of the content, in hexadecimal digits.
    package let hash: String
    package let content: [UInt8]

    package init(shortcode: String, format: MediaFormat, hash: String, content: [UInt8]) {
        self.shortcode = shortcode
        self.format = format
        self.hash = hash
        self.content = content
    }

    /// The path of the image. It changes with the content.
    package var path: String { "/emoji/" + hash + "/" + fileName }

    package var fileName: String { shortcode + "." + format.fileExtension }
}
