import FeedCore

/// The focus of a picture as the percentages of CSS `object-position`, in steps of 5. The policy of the pages permits no
/// inline styles, so each step is a class in `style.css`. Pure.
struct FocusPosition: Equatable {
    static let step = 5

    let x: Int
    let y: Int

    /// - Parameter focus: `nil` for the center. Its y axis points up, that of CSS down.
    init(_ focus: MediaFocus?) {
        x = Self.percentage(focus?.x ?? 0)
        y = Self.percentage(-(focus?.y ?? 0))
    }

    private static func percentage(_ value: Double) -> Int {
        guard value.isFinite else { return 50 }
        let steps = (min(max(value, -1), 1) + 1) / 2 * Double(100 / step)
        return Int(steps.rounded()) * step
    }
}
