import Crypto
package import FeedCore
import Foundation

/// Reads custom emoji from a folder: images whose names are their shortcodes. What cannot be used is skipped.
package struct EmojiFolder {
    /// The maximum number of files whose names are read.
    private static let maximumFiles = 10_000

    /// A file that was skipped, and why.
    package struct Skipped: Sendable, Equatable {
        package let name: String
        package let reason: String
    }

    /// The reason for skipping a file.
    private struct Refusal: Error {
        let reason: String
    }

    package private(set) var emoji = EmojiSet()
    package private(set) var skipped: [Skipped] = []

    /// Blocks while it reads.
    /// - Parameter path: The folder; if it does not exist, there are no emoji.
    package init(_ path: String) {
        var accepted: [CustomEmoji] = []
        var total = 0
        for name in names(in: path) {
            do {
                // Before the file is read, so that any number of files takes a bounded time.
                try Self.check(count: accepted.count, total: total)
                let new = try Self.read(name, in: path)
                try Self.check(new, beside: accepted, total: total)
                accepted.append(new)
                total += new.content.count
            } catch let refusal as Refusal {
                skipped.append(Skipped(name: name, reason: refusal.reason))
            } catch {
                skipped.append(Skipped(name: name, reason: (error as? MediaError)?.message ?? "\(error)"))
            }
        }
        emoji = EmojiSet(accepted)
    }

    /// The names of the files in alphabetical order, without hidden ones.
    private mutating func names(in path: String) -> [String] {
        guard let folder = opendir(path) else {
            if errno != ENOENT { skipped.append(Skipped(name: path, reason: String(cString: strerror(errno)))) }
            return []
        }
        defer { closedir(folder) }
        var names: [String] = []
        while names.count < Self.maximumFiles, let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name.utf8.first != UInt8(ascii: ".") { names.append(name) }
        }
        return names.sorted()
    }

    private static func check(count: Int, total: Int) throws(Refusal) {
        guard count < CustomEmoji.maximumCount else {
            throw Refusal(reason: "there are more than \(CustomEmoji.maximumCount) emoji")
        }
        guard total <= CustomEmoji.maximumTotalBytes else {
            throw Refusal(reason: "all emoji together are larger than \(CustomEmoji.maximumTotalBytes >> 20) MiB")
        }
    }

    private static func check(_ new: CustomEmoji, beside others: [CustomEmoji], total: Int) throws(Refusal) {
        try check(count: others.count, total: total + new.content.count)
        guard !others.contains(where: { $0.shortcode == new.shortcode }) else {
            throw Refusal(reason: "another file has the same shortcode")
        }
    }

    private static func read(_ name: String, in path: String) throws -> CustomEmoji {
        let parts = name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).map(Substring.init)
        guard parts.count == 2, EmojiShortcode.isShortcode(parts[0]) else {
            throw Refusal(reason: "the name is not a shortcode with an extension")
        }
        let descriptor = open(path + "/" + name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw Refusal(reason: String(cString: strerror(errno))) }
        defer { close(descriptor) }
        return try copy(descriptor, shortcode: String(parts[0]))
    }

    /// Copies an image without its metadata, as attachments are.
    private static func copy(_ descriptor: Int32, shortcode: String) throws -> CustomEmoji {
        var source = try FileSource(descriptor: descriptor)
        guard source.remaining <= CustomEmoji.maximumBytes else {
            throw Refusal(reason: "the file is larger than \(CustomEmoji.maximumBytes / 1024) KiB")
        }
        var sink = MemorySink()
        let info = try MediaCopier.copy(from: &source, to: &sink, limits: MediaLimits())
        guard CustomEmoji.formats.contains(info.format) else {
            throw Refusal(reason: "the file is neither PNG nor GIF nor WebP")
        }
        guard let (width, height) = info.uprightSize, max(width, height) <= CustomEmoji.maximumSide else {
            throw Refusal(reason: "the image is wider or higher than \(CustomEmoji.maximumSide) pixels")
        }
        let hash = Hex.text(SHA256.hash(data: sink.bytes).prefix(16))
        return CustomEmoji(shortcode: shortcode, format: info.format, hash: hash, content: sink.bytes)
    }
}
