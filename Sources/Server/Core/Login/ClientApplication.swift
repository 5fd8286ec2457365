/// A program that registered itself.
package struct ClientApplication: Sendable, Equatable {
    /// 0 for programs on this machine that need no registration.
    package var id: Int64
    package var clientID: String
    package var name: String
    package var website: String?
    package var redirectURIs: [String]
    package var scopes: Scopes

    package init(
        id: Int64 = 0, clientID: String = "", name: String, website: String? = nil, redirectURIs: [String] = [],
        scopes: Scopes = .all
    ) {
        self.id = id
        self.clientID = clientID
        self.name = name
        self.website = website
        self.redirectURIs = redirectURIs
        self.scopes = scopes
    }
}
