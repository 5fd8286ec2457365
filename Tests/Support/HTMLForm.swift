import Foundation

/// The fields that a browser would send from a page's form, found by text search.
package enum HTMLForm {
    /// The names and values of the hidden fields.
    package static func hidden(in page: String) -> [String: String] {
        var fields: [String: String] = [:]
        for piece in page.components(separatedBy: "<input type=\"hidden\" ").dropFirst() {
            guard let name = value("name", of: piece), let text = value("value", of: piece) else { continue }
            fields[name] = unescaped(text)
        }
        return fields
    }

    /// The names and texts of the text areas.
    package static func areas(in page: String) -> [String: String] {
        var fields: [String: String] = [:]
        for piece in page.components(separatedBy: "<textarea ").dropFirst() {
            let parts = piece.components(separatedBy: "</textarea>")[0].components(separatedBy: ">\n")
            guard let name = value("name", of: piece), parts.count == 2 else { continue }
            fields[name] = unescaped(parts[1])
        }
        return fields
    }

    /// The page's title.
    package static func title(of page: String) -> String {
        page.components(separatedBy: "<title>").last.flatMap { $0.components(separatedBy: "</title>").first } ?? ""
    }

    /// The fields as `a=1&b=2`.
    package static func encoded(_ fields: [String: String]) -> String {
        fields.map { escaped($0.key) + "=" + escaped($0.value) }.sorted().joined(separator: "&")
    }

    package static func escaped(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    }

    /// The query values of a URL.
    package static func query(of address: String) -> [String: String] {
        let items = URLComponents(string: address)?.queryItems ?? []
        return Dictionary(items.map { ($0.name, $0.value ?? "") }) { $1 }
    }

    private static func value(_ attribute: String, of tag: String) -> String? {
        let parts = tag.components(separatedBy: attribute + "=\"")
        return parts.count > 1 ? parts[1].components(separatedBy: "\"")[0] : nil
    }

    private static func unescaped(_ text: String) -> String {
        [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")].reduce(text) {
            $0.replacing($1.0, with: $1.1)
        }
    }
}
