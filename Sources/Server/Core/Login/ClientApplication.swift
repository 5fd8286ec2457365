/// A registered application (OAuth 2 client).
package struct ClientApplication: Sendable, Equatable {
    /// 0 for the command line, which is not registered.
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
