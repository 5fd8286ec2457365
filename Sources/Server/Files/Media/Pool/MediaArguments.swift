package import FeedCore

/// The arguments of the subcommand `process-media`: the limits that it needs.
package struct MediaArguments: Sendable, Equatable {
    package static let command = "process-media"

    package var limits: MediaLimits

    package init(_ limits: MediaLimits) { self.limits = limits }

    /// The subcommand and its arguments.
    package var words: [String] {
        [Self.command] + [limits.imageBytes, limits.videoBytes, limits.pixels, limits.thumbnailPixels].map(String.init)
    }

    /// - Parameter numbers: The arguments.
    /// - Returns: `nil` if they are not valid.
    package init?(_ numbers: [Int]) {
        guard numbers.count == 4, numbers.allSatisfy({ (1...1 << 40).contains($0) }) else { return nil }
        limits = MediaLimits()
        limits.imageBytes = numbers[0]
        limits.videoBytes = numbers[1]
        limits.pixels = numbers[2]
        limits.thumbnailPixels = numbers[3]
    }
}
