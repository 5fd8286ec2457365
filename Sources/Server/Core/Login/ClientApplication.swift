/// A registered application (OAuth 2 client).
package struct ClientApplication: Sendable, Equatable {
    /// 0 for the command line and the pages of this server, which are not registered.
    package var id: Int64
    package var clientID: String
    package var name: String
    package var website: String?
    package var redirectURIs: [String]
    package var scopes: ScopeSet

    package init(
        id: Int64 = 0, clientID: String = "", name: String, website: String? = nil, redirectURIs: [String] = [],
        scopes: ScopeSet = .all
    ) {
        self.id = id
        self.clientID = clientID
        self.name = name
        self.website = website
        self.redirectURIs = redirectURIs
        self.scopes = scopes
    }
}

extension ClientApplication {
    /// The pages of this server, whose sessions are tokens.
    package static let pages = ClientApplication(name: "Web")

    /// Whether an address can be a link on our pages: it begins with `http://` or `https://`.
    package static func isWebAddress(_ address: String) -> Bool {
        ["http://", "https://"].contains { address.lowercased().utf8.starts(with: $0.utf8) }
    }

    /// A name as it is shown, without characters that change the direction of text and could disguise it.
    package static func shownName(_ name: String) -> String {
        String(String.UnicodeScalarView(name.unicodeScalars.filter { !isDirectional($0) }))
    }

    private static func isDirectional(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
