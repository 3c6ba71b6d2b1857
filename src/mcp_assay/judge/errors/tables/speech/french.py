"""What errors say in French."""

from __future__ import annotations

from typing import Final

from mcp_assay.judge.errors.patterns import (
    CERTAIN,
    FAINT,
    FAIR,
    STRONG,
    business,
    conversion,
    environment,
    failure,
    table,
    unclear,
)

FRENCH: Final = table(
    "french",
    failure(
        CERTAIN,
        """
        référence d'objet | instance d'un objet | référence nulle | référence null | objet nul
        valeur nulle | attendu … null | attendu … none | attendu … undefined | attendu … nul
        attendue … null | attendue … none | attendue … undefined | attendue … nul
        attendait … null | attendait … none | attendait … undefined | attendait … nul
        attendus … null | attendus … none | attendus … undefined | attendus … nul | null reçu
        null a été reçu | null obtenu | reçu null | reçu undefined | reçu none | obtenu null
        obtenu undefined | obtenu none | est null | est undefined | est none | gabarit interne
        modèle interne | table interne | module interne | requête interne | requête générée
        limites du tableau | hors limites | hors des limites | index … hors | index … en dehors
        erreur de segmentation | sérialiser | sérialisation | variable … n'est pas définie dans
        variable … non définie dans | fonction … n'est pas définie | variable non définie
        variable indéfinie | division par zéro | diviser par zéro | exception non gérée
        exception non interceptée | erreur de programmation | erreur dans le code | bogue
        état impossible | débordement | absente du dictionnaire | cast d'un objet | type inattendu
        module … introuvable | n'a pas d'attribut | n'a pas de méthode | pas encore implémenté*
        n'est pas implémenté* | non implémenté* | schéma de sortie | boucle infinie
        """,
    ),
    failure(STRONG, "pointeur nul | plantage | non implémentée"),
    conversion(
        CERTAIN,
        """
        colonne … n'existe pas | relation … n'existe pas | table … n'existe pas | colonne inconnue
        erreur de syntaxe | chaîne d'entrée | impossible de décoder | impossible d'analyser
        impossible de désérialiser | impossible de convertir | impossible d'interpréter
        json invalide | json mal formé
        """,
    ),
    environment(
        CERTAIN,
        """
        délai d'attente | délai dépassé | injoignable | ne répond pas | surchargé
        variable d'environnement | non configuré | n'est pas installé | espace disque | hors ligne
        base de données … verrouillée | base de données … inaccessible | imprimante … papier
        imprimante … encre | imprimante … toner | imprimante … hors ligne | bourrage papier
        certificat … expiré | certificat … serveur | certificat … confiance | certificat … vérif
        certificat ssl | certificat tls | certificat du serveur | variable … n'est pas définie sur
        variable … environnement | n'est pas configuré* | configuration manquante
        paramètre … manquant dans la configuration | espace disponible sur | disque plein
        plus d'espace | connexion refusée | connexion perdue | connexion interrompue
        connexion impossible | connexion échouée | connexion fermée | connexion à la base
        connexion au serv* | ordinateur cible | hôte inconnu | impossible de joindre
        impossible de contacter | impossible de se connecter | impossible d'établir
        n'a pas répondu | aucune réponse | temps d'attente | délai … dépassé
        mémoire insuffisante | authentification … échouée pour | trop de connexions
        lecture seule | interblocage | erreur réseau | en panne | panne | non installé*
        """,
    ),
    environment(STRONG, "connexion | maintenance | temporairement"),
    environment(FAIR, "indisponible | certificat"),
    business(
        CERTAIN,
        """
        identifiants de connexion | informations de connexion | nom de connexion
        certificat cadeau | chèque cadeau | n'est pas disponible pour
        """,
    ),
    business(
        STRONG,
        """
        introuvable | n'existe pas | non trouvé | non trouvée | aucun | aucune | invalide
        invalides | n'est pas valide | déjà | obligatoire | requis | requise | doit être
        doivent être | doit | n'avez pas les droits | droits nécessaires | non autorisé
        accès refusé | interdit | expiré | expirée | inconnu | inconnue | trop long | trop court
        trop grand | au moins | au maximum | dépasse | insuffisant | insuffisante | manquant
        manquante | ne peut pas | impossible de | n'est pas autorisé | n'est pas disponible
        existe déjà | pas pris en charge | complet | ne correspond pas | vide
        refusé par la banque | carte … refusée | a été refusée | refusé* | plus de place
        plus disponible | en rupture | rupture de stock | épuisé* | solde | aucun fichier
        rompt la contrainte | contrainte unique | dupliqué* | en double | veuillez saisir
        veuillez choisir | veuillez sélectionner | veuillez vous connecter | veuillez indiquer
        choisissez | identifiants | mot de passe | non valide* | erroné* | n'appartient pas
        n'avez pas | n'a pas le droit | n'est pas permis | ne permet pas | seul le | seuls les
        réservé* | permission non accordée | permission refusée | dépassé* | bloqué pour
        suspendu* | n'est plus | ne sont pas | antérieure à | postérieure à | supérieur à
        supérieure à | inférieur à | inférieure à | fermé* | annulé* | inexistant* | incorrects
        incorrecte | incorrectes | non reconnu* | non pris en charge | trop de requêtes | trop de
        déjà été | obligatoires
        """,
    ),
    unclear(
        FAIR,
        """
        erreur est survenue | erreur inconnue | erreur interne | erreur inattendue | a échoué
        échec de l'opération | veuillez réessayer | s'est produite | problème est survenu
        n'a pas pu être effectuée | n'a pas pu aboutir | n'a pas pu être terminée
        n'a pas pu être traitée | contactez l'administrateur | contactez le support
        quelque chose s'est mal | un problème | erreur est survenue lors | erreur système
        erreur générale | échec du traitement | opération annulée | a été interrompue
        une exception
        """,
    ),
    unclear(FAINT, "erreur"),
)
