import Foundation

/// A link in the HTML of a status, whose address is added to the text if the text hides it.
struct PlainTextLink {
    /// The text of the link so far.
    var text = ""
    /// `nil` for mentions and hashtags, whose addresses say nothing new.
    private let address: String?

    init(_ tag: HTMLTag) {
        let address = tag.attributes["href"] ?? ""
        let isWeb = ["https://", "http://"].contains { address.utf8.starts(with: $0.utf8) }
        let isName = tag.hasClass("mention") || tag.hasClass("hashtag") || tag.attributes["rel"] == "tag"
        self.address = isWeb && !isName ? address : nil
    }

    /// What follows the text of the link; `nil` if the text tells where the link leads.
    var addition: String? {
        guard let address, !text.hasPrefix("@"), !text.hasPrefix("#") else { return nil }
        let shown = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !shown.isEmpty else { return address }
        return Self.isSame(shown, address) ? nil : " (\(address))"
    }

    /// Addresses are often shown without their scheme, or decoded.
    private static func isSame(_ shown: String, _ address: String) -> Bool { normalized(shown) == normalized(address) }

    private static func normalized(_ text: String) -> String {
        var text = text.removingPercentEncoding ?? text
        for prefix in ["https://", "http://", "www."] where text.lowercased().hasPrefix(prefix) {
            text.removeFirst(prefix.count)
        }
        while text.last == "/" { text.removeLast() }
        return text.lowercased()
    }
}
